"""Kernels to machine code: the only module that asks LLVM to compile.

The functions that an entry reaches are translated once each (``translate``), put into
one module, optimised together and emitted for this very processor.  Strict IEEE 754: no
fast-math flag is ever written and no multiply-add contracted, so the bits are those of
the interpreted source.  Cost: 1 to 2 s; in a child process (``sim.engine.build``).
"""

import ast
from collections.abc import Callable, Iterable
from types import FunctionType

from llvmlite import binding as llvm

from sim.engine.emitter import Signature
from sim.engine.signatures import is_memory, types_of
from sim.engine.translate import Translator
from sim.kernels.language import KERNELS, SOURCES

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
declare double @llvm.copysign.f64(double, double)
declare i64 @llvm.abs.i64(i64, i1)
"""


class Assembly:
    """All functions that some entries reach, as one LLVM module in text."""

    def __init__(self) -> None:
        self.signatures: dict[FunctionType, Signature] = {}
        self.functions: list[str] = []
        self._trees: dict[str, dict[str, ast.FunctionDef]] = {}

    def add(self, function: FunctionType, linkage: str = "internal") -> Signature:
        """Translate a function and, before it, everything that it calls."""
        if function in self.signatures:
            return self.signatures[function]
        types = types_of(function)
        node = self._node(function)
        name = function.__name__
        if linkage == "internal":
            name = f"{function.__module__}.{name}"
        arguments = tuple(types[argument.arg] for argument in node.args.args)
        signature = Signature(name, arguments, types["return"])
        # Known before its body is: a kernel that calls itself is refused by LLVM's
        # inliner at worst, never an endless loop here.
        self.signatures[function] = signature
        translated = Translator(node, function, types, self.callee)
        self.functions += translated.lines(name, linkage)
        return signature

    def callee(self, what: object) -> Signature | None:
        """Return the signature of a kernel, or None if it is something else."""
        if isinstance(what, FunctionType) and what in KERNELS:
            return self.add(_function(KERNELS[what]))
        return None

    def text(self) -> str:
        """Return the module."""
        return "\n".join([*self.functions, METADATA])

    def _node(self, function: FunctionType) -> ast.FunctionDef:
        module = function.__module__
        if module not in self._trees:
            source = SOURCES.get(module)
            if source is None:
                raise ValueError(f"the source of module {module} cannot be read")
            self._trees[module] = {
                node.name: node
                for node in ast.parse(source).body
                if isinstance(node, ast.FunctionDef)
            }
        return self._trees[module][function.__name__]


def assemble(entries: Iterable[Callable[..., object]]) -> str:
    """Return the LLVM module of some entries: kernels of tables and records to int.

    Raises
    ------
    RefusedKernel
        If a kernel uses something outside the subset.
    """
    assembly = Assembly()
    for entry in entries:
        signature = assembly.add(_function(KERNELS[entry]), "external")
        if signature.result != "int" or not all(map(is_memory, signature.arguments)):
            raise TypeError(
                f"{signature.name} is no entry: (table or record, ...) -> int"
            )
    return assembly.text()


def compile_text(text: str) -> bytes:
    """Return the object file of an LLVM module, for this processor."""
    machine = host_machine()
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def host_machine() -> llvm.TargetMachine:
    """Return LLVM's description of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=LEVEL,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def _function(what: Callable[..., object]) -> FunctionType:
    assert isinstance(what, FunctionType)
    return what
