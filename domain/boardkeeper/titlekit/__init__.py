"""What authors of titles use besides the table: readers of a title's files, and complete titles in one module."""
