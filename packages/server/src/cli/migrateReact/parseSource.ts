import { type ParserPlugin, parse } from '@babel/parser'

/** The nodes of a syntax tree, as far as this command looks at them. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: { readonly line: number } }
  readonly [field: string]: unknown
}

/** Syntax tree of a source file, in the dialect of its name and text. */
export function parseSource(path: string, text: string): Node {
  const dialects: ParserPlugin[][] = /\.[cm]?tsx?$/.test(path)
    ? [['typescript', ...(path.endsWith('.tsx') ? (['jsx'] as const) : [])]]
    : [['jsx'], ['jsx', 'flow']]
  let failure: unknown
  for (const plugins of dialects) {
    try {
      const tree = parse(text, {
        sourceType: 'unambiguous',
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: true,
        allowUndeclaredExports: true,
        plugins: [...plugins, 'decorators-legacy'],
      })
      return tree.program as unknown as Node
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** Imports or exports types alone. */
export function isType({ importKind, exportKind }: Node): boolean {
  return importKind === 'type' || exportKind === 'type'
}

/** The name in the other module, and not the one that it gets here. */
export function readName({ type, imported, local, exported }: Node): string {
  const node = Object(type === 'ExportSpecifier' ? (local ?? exported) : (imported ?? local)) as {
    name?: string
    value?: string
  }
  return node.name ?? node.value ?? '*'
}
