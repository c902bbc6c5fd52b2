"""The documentation pages: Markdown files of the project, served as HTML under `/docs`."""
