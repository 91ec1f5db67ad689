import { oldModule } from './names.ts'
import type { Node } from './parseSource.ts'

/** Parts of the older SDK that have nothing behind them any more, or something else. */
const members = new Map([
  ['start', 'Moralis.start is not needed: the provider connects. Give appId and serverUrl to <MoralisProvider>.'],
  ['initPlugins', 'There are no plugins to start. Take the call away.'],
  ['Plugins', 'The services behind plugins no longer exist. Provide a function on your server and call it.'],
  ['Dot', 'Polkadot is not offered. Take it away, or keep it in code of your own.'],
  ['Erd', 'Elrond is not offered. Take it away, or keep it in code of your own.'],
  ['Elrond', 'Elrond is not offered. Take it away, or keep it in code of your own.'],
])

const attributes = new Map([
  ['getMoralis', 'getMoralis brought the older SDK along. Take the property away: the provider has its own.'],
  ['plugins', 'The services behind plugins no longer exist. Take the property away.'],
  ['dangerouslyUseOfMasterKey', 'A master key does not belong in a page. Take it away, and change that key.'],
])

const deadServer = /https?:\/\/[\w.-]*\.(grandmoralis|moralishost|usemoralis|moralisweb3|moralis)\.(com|io)\b/i

/** What a piece of code other than an import needs. */
export function adviseOnNode(node: Node): string | undefined {
  switch (node.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const object = Object(node.object) as { type?: string; name?: string }
      const property = Object(node.property) as { name?: string }
      return object.name === 'Moralis' ? members.get(property.name ?? '') : undefined
    }
    case 'JSXOpeningElement': {
      if ((Object(node.name) as { name?: string }).name !== 'MoralisProvider') return undefined
      const names = (node.attributes as { name?: { name?: string } }[]).map(({ name }) => name?.name ?? '')
      return names.flatMap((name) => attributes.get(name) ?? []).join(' ') || undefined
    }
    case 'StringLiteral':
    case 'JSXText':
    case 'TemplateElement': {
      const value = typeof node.value === 'string' ? node.value : String((Object(node.value) as { raw?: string }).raw)
      if (deadServer.test(value))
        return 'That server no longer answers. Use the address of your own, such as https://example.org/server.'
      return node.type === 'StringLiteral' && value === oldModule
        ? `The name ${oldModule} stands here as a text. If it names the module, change it.`
        : undefined
    }
    default:
      return undefined
  }
}
