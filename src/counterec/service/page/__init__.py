"""The page: NiceGUI panels over values that know nothing of NiceGUI.

No Tailwind and no web font: every class is in ``style.css``. What comes from the data is shown as text by the functions
of ``elements``, and never as HTML or Markdown.
"""
