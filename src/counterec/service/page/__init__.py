"""The page: thin NiceGUI views over values that know nothing of NiceGUI.

No Tailwind, no icons, no web font: every class is in ``style.css``, and ``text_elements`` makes the HTML elements. What
comes from the data is shown through them, as text, and never as HTML or Markdown.
"""
