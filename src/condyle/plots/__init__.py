"""Figures of plain arrays: the only package that speaks matplotlib, which it loads when a figure is drawn.

What is to be seen is described as data: a chart is panels of curves, a body is polygons or surfaces with colours. So
any layer above may describe a figure, and none needs to know how it is drawn.
"""

from .chart import Band, Bar, Curve, Field, Note, Panel, curves, draw_chart, sticks

__all__ = ["Band", "Bar", "Curve", "Field", "Note", "Panel", "curves", "draw_chart", "sticks"]
