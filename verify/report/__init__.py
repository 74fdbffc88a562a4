"""What people look at: the page, the terminal table, the summary, the plots."""
