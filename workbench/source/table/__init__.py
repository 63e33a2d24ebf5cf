"""Tables: columns, their kinds and figures."""
