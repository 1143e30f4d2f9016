"""Studies: what a file wants to be known, played in many tasks, kept in a folder.

`data` says what a study is, `kinds` what can be run, `reading` and `studyfile` how files are read,
`store` how results are kept, with `manifests`, `taskfiles` and `tablefolder` for its files and
`census` for whose they are, `executors` who plays, `runner` runs it all. docs/studies.md tells the
user.
"""
