"""What drawings of titles of one family share: a package for each family. A family is no title and draws no board."""
