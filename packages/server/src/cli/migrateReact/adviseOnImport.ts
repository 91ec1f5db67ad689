import type { Flag } from './Finding.ts'
import { exportedNames, kitModule, newModule, oldModule, pluginHook, sdkModule } from './names.ts'
import type { Node } from './parseSource.ts'

type Advice = Pick<Flag, 'advice'> & Partial<Flag>

const sdk =
  'The older SDK knows nothing of the session that the hooks hold. In a component, take it from the hook: const { Moralis } = useMoralis(). In Node.js it may stay: it works with a Countersign server at your serverURL.'

/** What an import needs besides another name of its module. Each name that it takes in is looked at. */
export function adviseOnImport(node: Node, name: string): Advice[] {
  if (sdkModule.test(name)) return [{ advice: sdk }]
  if (name.startsWith(`${oldModule}/`)) {
    return [{ advice: `${name} is inside the old package. Import what you need from ${newModule}.` }]
  }
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') {
    return kitModule.test(name) ? [{ advice: adviseOnKit('Its ConnectButton') }] : []
  }
  const isOurs = name === oldModule || name === newModule
  if (!isOurs && !kitModule.test(name)) return []
  return (node.specifiers as Node[]).flatMap((specifier) => {
    const imported = readName(specifier)
    const advice = isOurs
      ? adviseOnName(specifier, imported, isType(node) || isType(specifier))
      : kitAdvice(name, imported)
    return advice ? [{ advice, line: specifier.loc.start.line }] : []
  })
}

function adviseOnName(specifier: Node, name: string, type: boolean): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') {
    return `${newModule} has no default export, and react-moralis had none. Import names.`
  }
  if (pluginHook.test(name)) {
    return `${name} used a service that no longer exists. It answers with an error, unless your server has a function of that name.`
  }
  if (name === 'useMoralisSolanaApiCall') return 'The name is useMoralisSolanaCall; the old README had it wrong.'
  if (type || specifier.type.includes('Namespace') || exportedNames.has(name)) return undefined
  return `${name} was not exported by react-moralis and is not by ${newModule}.`
}

function kitAdvice(module: string, name: string): string | undefined {
  if (name === 'ConnectButton') return adviseOnKit('ConnectButton')
  return module.endsWith('/web3') ? adviseOnKit(name) : undefined
}

function adviseOnKit(name: string): string {
  return `${name} carries react-moralis inside and does not see this provider. Use SignInButton of @countersign/react/sheet, or a button that calls authenticate() of useMoralis().`
}

function isType({ importKind, exportKind }: Node): boolean {
  return importKind === 'type' || exportKind === 'type'
}

/** The name in the other module, and not the one that it gets here. */
function readName({ type, imported, local, exported }: Node): string {
  const node = Object(type === 'ExportSpecifier' ? (local ?? exported) : (imported ?? local)) as {
    name?: string
    value?: string
  }
  return node.name ?? node.value ?? '*'
}
