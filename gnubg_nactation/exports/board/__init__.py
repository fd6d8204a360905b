"""Boards: laid out, drawn, styled, as SVG, PNG and text."""
