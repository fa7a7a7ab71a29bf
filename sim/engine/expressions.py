"""Expressions of a kernel to LLVM IR, each with the bits that CPython computes.

No fast-math flags, so nothing is reordered or contracted; comparisons are ordered;
``max`` and ``min`` keep the first of equals; ``and``, ``or`` and chained comparisons
stop early; ``//`` and ``%`` round down.
"""

import ast
import math
import struct
from collections.abc import Iterator

from sim.engine.emitter import (
    ELEMENT,
    Emitter,
    Many,
    Signature,
    Type,
    Value,
    abi,
    fields_of,
    is_record,
    is_table,
    type_of,
)

ARITHMETIC = {
    ast.Add: ("fadd", "add nsw"),
    ast.Sub: ("fsub", "sub nsw"),
    ast.Mult: ("fmul", "mul nsw"),
}
COMPARISONS = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}


class Expressions(Emitter):
    """Translate expressions, each to a value."""

    def expression(self, node: ast.expr) -> Value:
        """Translate one expression."""
        match node:
            case ast.Constant():
                return self.constant(node.value, node)
            case ast.Name():
                if node.id in self.variables:
                    return self.read(self.variables[node.id])
                return self.constant(self.named(node), node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.element(node)
            case ast.Tuple():
                return self.joined(map(self.expression, node.elts))
            case ast.BinOp():
                left = self.expression(node.left)
                return self.operate(node, node.op, left, self.expression(node.right))
            case ast.UnaryOp():
                return self.unary(node)
            case ast.Compare():
                return self.shortened(self.compared(node), every=True)
            case ast.BoolOp():
                tests = map(self.condition, node.values)
                return self.shortened(tests, isinstance(node.op, ast.And))
            case ast.IfExp():
                return self.chosen(node)
            case ast.Call():
                return self.call(node)
        self.refuse(node, f"{type(node).__name__} is not translated")

    def condition(self, node: ast.expr) -> Value:
        """Translate an expression that must be a bool."""
        value = self.expression(node)
        if value.type != "bool":
            self.refuse(node, f"a condition must be a bool, this is {value.type}")
        return value

    def named(self, node: ast.expr) -> object:
        """Return what a name, or an attribute of a module, stands for."""
        if isinstance(node, ast.Name):
            if node.id in self.function.__globals__:
                return self.function.__globals__[node.id]
            builtins = {"abs": abs, "max": max, "min": min, "float": float, "int": int}
            if node.id in builtins:
                return builtins[node.id]
        elif isinstance(node, ast.Attribute):
            owner = self.named(node.value)
            if hasattr(owner, node.attr):
                return getattr(owner, node.attr)
        self.refuse(node, f"'{ast.unparse(node)}' is not known here")

    def constant(self, what: object, node: ast.AST) -> Value:
        """Return a number, or a tuple of them, that never changes."""
        if isinstance(what, bool):
            return Value("bool", "true" if what else "false")
        if isinstance(what, int):
            return Value("int", str(what))
        if isinstance(what, float):
            return Value("float", f"0x{struct.pack('>d', what).hex()}")
        if isinstance(what, tuple):
            return self.joined(self.constant(part, node) for part in what)
        self.refuse(node, f"{what!r} is no number")

    def attribute(self, node: ast.Attribute) -> Value:
        """Read a field of a table, or a constant of a module."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.variables:
            return self.constant(self.named(node), node)
        table = self.expression(node.value)
        if is_record(table.type):
            return self.load(*self.field(node, table))
        if not is_table(table.type) or node.attr not in table.type._fields:
            self.refuse(node, f"there is no field '{node.attr}'")
        k, kind = fields_of(table.type)[node.attr]
        cell = self.value(None, f"getelementptr i64, ptr {table.ref}, i64 {k}")
        # The cells of a table do not change while a kernel runs.
        return self.value(
            kind, f"load {abi(kind)}, ptr {cell.ref}, align 8, !invariant.load !0"
        )

    def field(self, node: ast.Attribute, record: Value) -> tuple[Type, str, int]:
        """Return the type of a field, and the record and offset where it is."""
        if node.attr not in record.type.layout:
            self.refuse(node, f"there is no field '{node.attr}'")
        offset, hint = record.type.layout[node.attr]
        return type_of(hint), record.ref, offset

    def place(self, node: ast.Subscript) -> tuple[str, str]:
        """Return the kind of a buffer and the address of one element."""
        buffer = self.expression(node.value)
        if buffer.type not in ELEMENT:
            self.refuse(node, f"a {buffer.type} cannot be written to")
        index = self.expression(node.slice)
        if index.type != "int":
            self.refuse(node, f"an index must be an int, this is {index.type}")
        what = f"{ELEMENT[buffer.type]}, ptr {buffer.ref}, i64 {index.ref}"
        return buffer.type, self.value(None, f"getelementptr inbounds {what}").ref

    def element(self, node: ast.Subscript) -> Value:
        """Read an element of a buffer, or a part of a tuple."""
        if isinstance(node.slice, ast.Constant):
            whole = self.expression(node.value)
            if isinstance(whole.type, tuple):
                k = node.slice.value
                if isinstance(k, int) and 0 <= k < len(whole.type):
                    return self.part(whole, k)
                self.refuse(node, "the tuple has no such part")
        if isinstance(node.value, ast.Attribute):
            many = self.attribute(node.value)
            if isinstance(many.type, Many):
                at = f"ptr, ptr {many.ref}, i64 {self.expression(node.slice).ref}"
                cell = self.value(None, f"getelementptr {at}")
                text = f"load ptr, ptr {cell.ref}, align 8, !invariant.load !0"
                return self.value(many.type.kind, text)
        kind, place = self.place(node)
        if kind == "floats":
            return self.value("float", f"load double, ptr {place}, !tbaa !1")
        short = self.value(None, f"load i32, ptr {place}, !tbaa !2")
        return self.value("int", f"sext i32 {short.ref} to i64")

    def as_float(self, value: Value, node: ast.AST) -> Value:
        """Return a number as a float."""
        if value.type == "int":
            return self.value("float", f"sitofp i64 {value.ref} to double")
        if value.type != "float":
            self.refuse(node, f"{value.type} is no number")
        return value

    def converted(self, value: Value, kind: Type, node: ast.AST) -> Value:
        """Return a value as the type that an annotation promises."""
        if kind == "float":
            return self.as_float(value, node)
        if value.type == kind:
            return value
        both = isinstance(kind, tuple) and isinstance(value.type, tuple)
        if not both or len(kind) != len(value.type):
            self.refuse(node, f"{kind} is promised, this is {value.type}")
        parts = (self.part(value, k) for k in range(len(kind)))
        return self.joined(map(self.converted, parts, kind, [node] * len(kind)))

    def operate(
        self, node: ast.AST, op: ast.operator, left: Value, right: Value
    ) -> Value:
        """Translate one arithmetic operation."""
        whole = left.type == right.type == "int"
        if isinstance(op, ast.FloorDiv | ast.Mod) and whole:
            return self.divided(op, left, right)
        if not whole or isinstance(op, ast.Div):
            left, right = self.as_float(left, node), self.as_float(right, node)
        if isinstance(op, ast.Div):
            return self.value("float", f"fdiv double {left.ref}, {right.ref}")
        if type(op) not in ARITHMETIC:
            self.refuse(node, f"{type(op).__name__} is not translated here")
        for_floats, for_ints = ARITHMETIC[type(op)]
        if whole:
            return self.value("int", f"{for_ints} i64 {left.ref}, {right.ref}")
        return self.value("float", f"{for_floats} double {left.ref}, {right.ref}")

    def divided(self, op: ast.operator, left: Value, right: Value) -> Value:
        """Divide ints, rounding down as Python does."""
        rest = self.value("int", f"srem i64 {left.ref}, {right.ref}")
        signs = self.value("int", f"xor i64 {rest.ref}, {right.ref}")
        other = self.value("bool", f"icmp slt i64 {signs.ref}, 0")
        some = self.value("bool", f"icmp ne i64 {rest.ref}, 0")
        off = self.value("bool", f"and i1 {other.ref}, {some.ref}")
        if isinstance(op, ast.Mod):
            more = self.value("int", f"add i64 {rest.ref}, {right.ref}")
            which = f"i64 {more.ref}, i64 {rest.ref}"
            return self.value("int", f"select i1 {off.ref}, {which}")
        ratio = self.value("int", f"sdiv i64 {left.ref}, {right.ref}")
        step = self.value("int", f"zext i1 {off.ref} to i64")
        return self.value("int", f"sub i64 {ratio.ref}, {step.ref}")

    def unary(self, node: ast.UnaryOp) -> Value:
        """Translate a sign or a negation."""
        if isinstance(node.op, ast.Not):
            return self.value(
                "bool", f"xor i1 {self.condition(node.operand).ref}, true"
            )
        value = self.expression(node.operand)
        if not isinstance(node.op, ast.USub) or value.type not in ("float", "int"):
            self.refuse(node, f"{type(node.op).__name__} is not translated here")
        if value.type == "int":
            return self.value("int", f"sub i64 0, {value.ref}")
        return self.value("float", f"fneg double {value.ref}")

    def test(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        """Compare two numbers, or two bools for equality."""
        if type(op) not in COMPARISONS:
            self.refuse(node, f"{type(op).__name__} is not translated")
        for_floats, for_ints = COMPARISONS[type(op)]
        if isinstance(left.type, tuple) and left.type == right.type:
            return self.test_parts(op, left, right, node)
        if left.type == right.type and left.type in ("int", "bool"):
            if left.type == "bool" and not isinstance(op, ast.Eq | ast.NotEq):
                self.refuse(node, "bools have no order here")
            what = f"{for_ints} {abi(left.type)} {left.ref}, {right.ref}"
            return self.value("bool", f"icmp {what}")
        left, right = self.as_float(left, node), self.as_float(right, node)
        return self.value("bool", f"fcmp {for_floats} double {left.ref}, {right.ref}")

    def test_parts(
        self, op: ast.cmpop, left: Value, right: Value, node: ast.AST
    ) -> Value:
        """Compare two tuples of one type for equality."""
        if not isinstance(op, ast.Eq | ast.NotEq):
            self.refuse(node, "tuples have no order here")
        result = Value("bool", "true" if isinstance(op, ast.Eq) else "false")
        joint = "and" if isinstance(op, ast.Eq) else "or"
        for k in range(len(left.type)):
            holds = self.test(op, self.part(left, k), self.part(right, k), node)
            result = self.value("bool", f"{joint} i1 {result.ref}, {holds.ref}")
        return result

    def compared(self, node: ast.Compare) -> Iterator[Value]:
        """Translate the comparisons of a chain, one after the other."""
        left = self.expression(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.expression(comparator)
            yield self.test(op, left, right, node)
            left = right

    def shortened(self, tests: Iterator[Value], every: bool) -> Value:
        """Translate a chain, ``and`` (every) or ``or``, stopping as early as Python."""
        result = self.room("bool")
        (end,) = self.labels("known")
        for holds in tests:
            self.write(result, holds)
            (more,) = self.labels("more")
            self.branch(holds, *((more, end) if every else (end, more)))
            self.start(more)
        self.start(end)
        return self.read(result)

    def chosen(self, node: ast.IfExp) -> Value:
        """Translate ``x if condition else y``."""
        yes, no, end = self.labels("yes", "no", "either")
        self.branch(self.condition(node.test), yes, no)
        self.start(yes)
        value = self.expression(node.body)
        result = self.room(value.type)
        self.write(result, value)
        self.jump(end)
        self.start(no)
        other = self.converted(self.expression(node.orelse), value.type, node)
        self.write(result, other)
        self.start(end)
        return self.read(result)

    # --- calls -----------------------------------------------------------------------

    def call(self, node: ast.Call) -> Value:
        """Translate a call of a kernel or of one of the few known functions."""
        if node.keywords:
            self.refuse(node, "keyword arguments are not translated")
        what = self.named(node.func)
        values = [self.expression(argument) for argument in node.args]
        signature = self.callee(what)
        if signature is not None:
            return self.call_kernel(node, signature, values)
        if what is float and len(values) == 1:
            return self.as_float(values[0], node)
        if what is int and len(values) == 1:
            at = self.as_float(values[0], node).ref
            return self.value("int", f"fptosi double {at} to i64")
        if (what is max or what is min) and len(values) > 1:
            return self.extreme(what is max, values, node)
        if (what is math.sqrt or what is abs) and len(values) == 1:
            ref = self.as_float(values[0], node).ref
            name = "fabs" if what is abs else "sqrt"
            return self.value("float", f"call double @llvm.{name}.f64(double {ref})")
        self.refuse(node, f"'{ast.unparse(node.func)}' is no kernel")

    def call_kernel(
        self, node: ast.Call, signature: Signature, values: list[Value]
    ) -> Value:
        """Call another kernel."""
        if len(values) != len(signature.arguments):
            self.refuse(node, f"{len(signature.arguments)} arguments are needed")
        passed = [
            f"{abi(kind)} {self.converted(value, kind, node).ref}"
            for value, kind in zip(values, signature.arguments, strict=True)
        ]
        which = f"@{signature.name}"
        if signature.wide:
            asked = self.value("bool", "load i1, ptr @goes_wide").ref
            pick = f"select i1 {asked}, ptr {which}.wide, ptr {which}"
            which = self.value(None, pick).ref
        text = f"{abi(signature.result)} {which}({', '.join(passed)})"
        if signature.result is None:
            self.emit(f"call {text}")
            return Value(None)
        return self.value(signature.result, f"call {text}")

    def extreme(self, largest: bool, values: list[Value], node: ast.AST) -> Value:
        """Translate ``max`` and ``min``: a later one wins only if it is beyond."""
        best = values[0]
        op = ast.Gt() if largest else ast.Lt()
        for value in values[1:]:
            if value.type != best.type:
                self.refuse(node, "max and min need numbers of one type")
            wins = self.test(op, value, best, node)
            kind = abi(best.type)
            which = f"{kind} {value.ref}, {kind} {best.ref}"
            best = self.value(best.type, f"select i1 {wins.ref}, {which}")
        return best
