from sympy.printing.pretty.stringpict import prettyForm

class PrettyPrinter:
    def _print(self, expr: object) -> prettyForm: ...
