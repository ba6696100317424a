"""What is drawn alike in all titles in which followers are drawn from a bag and planned on the spaces of places.

:mod:`~boardkeeper.client.drawing.families.followers.views` says what fields a title's board needs for that; whose
messages they are does not matter. What a title has besides, it hands to the functions here: further lines and columns,
the words for what its places and deeds give, labels of its own commands. The captions of all this are in
:mod:`~boardkeeper.client.drawing.families.followers.words`; a title puts its own beside them and over them.
"""
