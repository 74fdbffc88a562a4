"""Write what a campaign of checks found, for people: web page, table on a terminal, summary and plots."""
