"""One kernel to LLVM IR: the subset of Python that the kernels are written in.

Statements only; what they compute is in ``expressions``.  What is not understood is
refused with its file and line.
"""

import ast
from collections.abc import Callable
from types import FunctionType

from sim.engine.emitter import Signature, Value, flat
from sim.engine.expressions import Expressions
from sim.engine.signatures import Type, abi, is_record, returned

IGNORED = "_"


class Translator(Expressions):
    """Translate the body of one function; ``lines`` holds the finished text.

    Parameters
    ----------
    node : ast.FunctionDef
    function : FunctionType
        The same function, as it was imported: its globals give names their meaning.
    types : dict
        Types of the arguments by name, and of "return".
    callee : callable
        Gives the signature of another kernel, and sees to it that it is translated.
    """

    def __init__(
        self,
        node: ast.FunctionDef,
        function: FunctionType,
        types: dict[str, Type],
        callee: Callable[[object], Signature | None],
    ) -> None:
        super().__init__(function, callee)
        self.node = node
        self.result = types["return"]
        self.loops: list[tuple[str, str]] = []  # where continue and break go
        arguments: list[str] = []
        for argument in node.args.args:
            value = self._argument(types[argument.arg], arguments)
            self._bind(argument.arg, value, argument)
        self.parameters = ", ".join(arguments)
        self._block(node.body)
        if self.open:
            self.emit("ret void" if self.result is None else "unreachable")

    def lines(self, name: str, linkage: str) -> list[str]:
        """Return the finished function under a name."""
        head = f"define {linkage} {returned(self.result)} @{name}({self.parameters})"
        return [f"{head} #0 {{", "start:", *self.head, *self.body, "}"]

    def _argument(self, kind: Type, arguments: list[str]) -> Value:
        if isinstance(kind, tuple):
            parts = tuple(self._argument(part, arguments) for part in kind)
            return Value(kind, "", parts)
        ref = f"%a{len(arguments)}"
        arguments.append(f"{abi(kind)} {ref}")
        return Value(kind, ref)

    def _bind(self, name: str, value: Value, node: ast.AST) -> None:
        if name == IGNORED:
            return
        if name not in self.variables:
            self.variables[name] = self.room(value.type)
        variable = self.variables[name]
        if variable.type != value.type:
            self.refuse(node, f"'{name}' was {variable.type}, now it is {value.type}")
        self.write(variable, value)

    # --- statements ------------------------------------------------------------------

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if not self.open:
                return
            name = f"_do_{type(statement).__name__}"
            if not hasattr(self, name):
                self.refuse(statement, f"{type(statement).__name__} is not translated")
            getattr(self, name)(statement)

    def _do_Pass(self, node: ast.Pass) -> None:
        pass

    def _do_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    def _do_Assign(self, node: ast.Assign) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value, target)
        elif isinstance(target, ast.Tuple):
            if len(target.elts) != len(value.parts):
                self.refuse(target, "the tuple has another length")
            for element, part in zip(target.elts, value.parts, strict=True):
                self._assign(element, part)
        elif isinstance(target, ast.Subscript):
            buffer, place = self.place(target)
            if buffer == "floats":
                value = self.as_float(value, target)
                self.emit(f"store double {value.ref}, ptr {place}, !tbaa !1")
            else:
                if value.type != "int":
                    self.refuse(target, f"a {value.type} does not fit into Ints")
                short = self.value("int", f"trunc i64 {value.ref} to i32")
                self.emit(f"store i32 {short.ref}, ptr {place}, !tbaa !2")
        elif isinstance(target, ast.Attribute):
            self._assign_field(target, value)
        else:
            self.refuse(target, "this cannot be assigned to")

    def _assign_field(self, target: ast.Attribute, value: Value) -> None:
        owner = self.expression(target.value)
        if not is_record(owner.type):
            self.refuse(target, "only the fields of a record can be assigned to")
        kind, record, offset = self.field(target, owner)
        if is_record(kind) or kind == "ints":
            self.refuse(target, f"'{target.attr}' is a place; assign to what it holds")
        self.store(kind, record, offset, self.converted(value, kind, target))

    def _do_AugAssign(self, node: ast.AugAssign) -> None:
        before = self.expression(node.target)
        after = self.operate(node, node.op, before, self.expression(node.value))
        self._assign(node.target, after)

    def _do_If(self, node: ast.If) -> None:
        yes, no, end = self.labels("then", "else", "end")
        self.branch(self.condition(node.test), yes, no)
        self.start(yes)
        self._block(node.body)
        self.jump(end)
        self.start(no)
        self._block(node.orelse)
        self.jump(end)
        self.start(end)

    def _do_While(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "while ... else is not translated")
        again, inside, end = self.labels("while", "body", "end")
        self.start(again)
        self.branch(self.condition(node.test), inside, end)
        self.start(inside)
        self.loops.append((again, end))
        self._block(node.body)
        self.loops.pop()
        self.jump(again)
        self.start(end)

    def _do_For(self, node: ast.For) -> None:
        call = node.iter
        if (
            node.orelse
            or not isinstance(node.target, ast.Name)
            or not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Name)
            or call.func.id != "range"
            or len(call.args) > 2
        ):
            self.refuse(node, "only 'for name in range(...)' is translated")
        bounds = [self.expression(bound) for bound in call.args]
        if any(bound.type != "int" for bound in bounds):
            self.refuse(node, "a range has int bounds")
        first = bounds[0] if len(bounds) == 2 else Value("int", "0")
        counter = self.room("int")
        self.write(counter, first)
        again, inside, step, end = self.labels("for", "body", "next", "end")
        self.start(again)
        here = self.read(counter)
        self.branch(
            self.value("bool", f"icmp slt i64 {here.ref}, {bounds[-1].ref}"),
            inside,
            end,
        )
        self.start(inside)
        self._bind(node.target.id, here, node)
        self.loops.append((step, end))
        self._block(node.body)
        self.loops.pop()
        self.start(step)
        after = self.value("int", f"add nsw i64 {self.read(counter).ref}, 1")
        self.write(counter, after)
        self.jump(again)
        self.start(end)

    def _do_Continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])

    def _do_Break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])

    def _do_Return(self, node: ast.Return) -> None:
        if node.value is None or self.result is None:
            if node.value is not None or self.result is not None:
                self.refuse(node, "the annotation says something else")
            self.emit("ret void")
            self.open = False
            return
        value = self.converted(self.expression(node.value), self.result, node)
        leaves = flat(value)
        self.open = False
        if len(leaves) == 1:
            self.emit(f"ret {abi(leaves[0].type)} {leaves[0].ref}")
            return
        whole, built = returned(self.result), "poison"
        for k, leaf in enumerate(leaves):
            text = f"insertvalue {whole} {built}, {abi(leaf.type)} {leaf.ref}, {k}"
            built = self.value(None, text).ref
        self.emit(f"ret {whole} {built}")
