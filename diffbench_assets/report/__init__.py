"""The report of one suite: an HTML file, figures and leaderboards for a paper.

Belongs here: turning finished tables into pages, plots and text, whatever the protocol. Does not belong here: what one
protocol says (`protocols/NAME/report/`), any number (`statistics/`, `protocols/`), reading the lake, Dagster. Whatever
a model or a judge wrote is hostile here: it reaches the page as escaped JSON and from there as text nodes, never as
markup.
"""
