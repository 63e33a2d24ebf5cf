"""Tables as rows of numbers: encoding and order."""
