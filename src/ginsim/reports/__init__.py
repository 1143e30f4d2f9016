"""The report of a study: one page of HTML that needs nothing but itself.

`commands` says how each result is reproduced, `tables` and `pictures` what is shown of it,
`sections` what each kind of run has, `writing` makes the page. docs/report.md tells the user.
"""
