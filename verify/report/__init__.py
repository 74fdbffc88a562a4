"""Reports for people: the web page, the table on a terminal, the summary and the plots."""
