"""The phases of Paladins, and the inquisition and pending rewards that interrupt them."""
