"""Pictures: each `plot_*` function takes results, draws them on axes and gives these back.

`drawing` has what they share: axes, colours, marks, files. matplotlib is imported when the first is
called. docs/pictures.md tells the user.
"""
