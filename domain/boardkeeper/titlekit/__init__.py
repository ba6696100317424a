"""What authors of titles use besides the table: readers of a title's files. Titles and families import it."""
