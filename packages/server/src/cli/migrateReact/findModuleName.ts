import type { Node } from './parseSource.ts'

/** What test runners take the name of a module by. */
const mocking = /^(mock|unmock|doMock|dontMock|setMock|requireActual|requireMock|importActual|importMock)$/

/** The text that names a module, of a node that imports one, in any of the ways there are. */
export function findModuleName(node: Node): Node | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return text(node.source)
    case 'TSImportType':
      return text(node.argument) ?? text(field(node.argument, 'literal'))
    case 'TSExternalModuleReference':
      return text(node.expression)
    case 'TSModuleDeclaration':
      return text(node.id)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isLoading(node.callee) ? text((node.arguments as unknown[])[0]) : undefined
    default:
      return undefined
  }
}

function isLoading(callee: unknown): boolean {
  const { type, name, object, property } = Object(callee) as Record<string, unknown>
  if (type === 'Import') return true
  if (type === 'Identifier') return name === 'require'
  if (type !== 'MemberExpression') return false
  const owner = field(object, 'name')
  const method = String(field(property, 'name'))
  return owner === 'require' ? method === 'resolve' : (owner === 'jest' || owner === 'vi') && mocking.test(method)
}

function field(value: unknown, name: string): unknown {
  return (Object(value) as Record<string, unknown>)[name]
}

/** A text without anything filled in. */
function text(value: unknown): Node | undefined {
  const node = Object(value) as Node
  if (node.type === 'StringLiteral') return node
  return node.type === 'TemplateLiteral' && (node.expressions as unknown[]).length === 0 ? node : undefined
}
