"""Kernels to machine code: the only module that asks LLVM to compile.

The functions that an entry reaches are translated once each (``translate``), put into
one module, optimised together and emitted for any processor of a platform.  Strict IEEE
754: no fast-math flag is ever written and no multiply-add contracted, so the bits are
those of the interpreted source.  Cost: 4 to 8 s; see ``sim.engine.link``.
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from types import FunctionType

from llvmlite import binding as llvm

from sim.engine.emitter import (
    Signature,
    Type,
    Value,
    abi,
    is_memory,
    is_record,
    types_of,
)
from sim.engine.expressions import Expressions
from sim.kernels.language import KERNELS

IGNORED = "_"


class Translator(Expressions):
    """Translate the body of one function; ``lines`` holds the finished text.

    Parameters: ``function``: the same function, as it was imported: its globals give
    names their meaning; ``types``: types of the arguments by name, and of "return";
    ``callee``: gives the signature of another kernel, and sees to it that it is
    translated.
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
        passed = [Value(types[a.arg], f"%a{k}") for k, a in enumerate(node.args.args)]
        for argument, value in zip(node.args.args, passed, strict=True):
            self._bind(argument.arg, value, argument)
        self.parameters = ", ".join(f"{abi(v.type)} {v.ref}" for v in passed)
        self._block(node.body)
        if self.open:
            self.emit("ret void" if self.result is None else "unreachable")

    def lines(self, name: str, linkage: str, attributes: str = "#0") -> list[str]:
        """Return the finished function under a name."""
        head = f"define {linkage} {abi(self.result)} @{name}({self.parameters})"
        return [f"{head} {attributes} {{", "start:", *self.head, *self.body, "}"]

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
            if not isinstance(value.type, tuple) or len(target.elts) != len(value.type):
                self.refuse(target, "the tuple has another length")
            for k, element in enumerate(target.elts):
                self._assign(element, self.part(value, k))
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
        if is_record(kind):
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
        self.emit(f"ret {abi(value.type)} {value.ref}")
        self.open = False


LEVEL = 3

# Floats, ints and numbers of records never share memory; tables never change.
METADATA = """
!0 = !{}
!1 = !{!4, !4, i64 0}
!2 = !{!5, !5, i64 0}
!3 = !{!"wingedge"}
!4 = !{!"floats", !3, i64 0}
!5 = !{!"ints", !3, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"numbers of records", !3, i64 0}
attributes #0 = { nounwind }
declare double @llvm.sqrt.f64(double)
declare double @llvm.fabs.f64(double)
"""

# What lets Python call an entry of one table as a built-in function: two functions of
# its stable interface, which are told once, so that the library links to no other.
# And whether loops may go four numbers at a time.
PYTHON = """
@as_pointer = internal global ptr null
@from_long = internal global ptr null
@goes_wide = internal global i1 false
define void @know_python(ptr %as_pointer, ptr %from_long, i1 %goes_wide) #0 {
  store ptr %as_pointer, ptr @as_pointer
  store ptr %from_long, ptr @from_long
  store i1 %goes_wide, ptr @goes_wide
  ret void
}
"""
BUILTIN = """
define ptr @{0}_builtin(ptr %table, ptr %nothing) #0 {{
  %as_pointer = load ptr, ptr @as_pointer
  %at = call ptr %as_pointer(ptr %table)
  %status = call i64 @{0}(ptr %at)
  %from_long = load ptr, ptr @from_long
  %made = call ptr %from_long(i64 %status)
  ret ptr %made
}}
"""


class Assembly:
    """All functions that some entries reach, as one LLVM module in text."""

    def __init__(self, entries: Iterable[FunctionType]) -> None:
        self.entries = frozenset(entries)
        self.signatures: dict[FunctionType, Signature] = {}
        self.functions: list[str] = []

    def add(self, function: FunctionType, wide: bool = False) -> Signature:
        """Translate a function, before it all that it calls; for AVX2 too if wide."""
        if function in self.signatures:
            return self.signatures[function]
        types = types_of(function)
        (node,) = ast.parse(inspect.getsource(function)).body
        assert isinstance(node, ast.FunctionDef)
        ast.increment_lineno(node, function.__code__.co_firstlineno - 1)
        name, linkage = function.__name__, "external"
        if function not in self.entries:
            name, linkage = f"{function.__module__}.{name}", "internal"
        arguments = tuple(types[argument.arg] for argument in node.args.args)
        signature = Signature(name, arguments, types["return"], wide)
        # Known before its body is: a kernel that calls itself is refused by LLVM's
        # inliner at worst, never an endless loop here.
        self.signatures[function] = signature
        translated = Translator(node, function, types, self.callee)
        self.functions += translated.lines(name, linkage)
        if wide:
            self.functions += translated.lines(f"{name}.wide", linkage, "#1")
        return signature

    def callee(self, what: object) -> Signature | None:
        """Return the signature of a kernel, or None if it is something else."""
        if isinstance(what, FunctionType) and what in KERNELS:
            source = _function(KERNELS[what])
            return self.add(source, wide=source is not what)  # all vertices
        return None

    def text(self) -> str:
        """Return the module."""
        return "\n".join([*self.functions, METADATA, PYTHON])


def assemble(entries: Iterable[Callable[..., object]]) -> str:
    """Return the LLVM module of some entries: kernels of tables and records to int.

    Raises RefusedKernel if a kernel uses something outside the subset.
    """
    sources = [_function(KERNELS[entry]) for entry in entries]
    assembly = Assembly(sources)
    for signature in map(assembly.add, sources):
        if signature.result != "int" or not all(map(is_memory, signature.arguments)):
            raise TypeError(
                f"{signature.name} is no entry: (table or record, ...) -> int"
            )
        if len(signature.arguments) == 1:
            assembly.functions.append(BUILTIN.format(signature.name))
    return assembly.text()


def compile_text(text: str, triple: str) -> bytes:
    """Return the object file of an LLVM module, for any processor of a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(opt=LEVEL, reloc="pic", codemodel="small")
    wide = "+avx2" if triple.startswith("x86_64") else ""
    text += f'\nattributes #1 = {{ nounwind "target-features"="{wide}" }}\n'
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _function(what: Callable[..., object]) -> FunctionType:
    assert isinstance(what, FunctionType)
    return what
