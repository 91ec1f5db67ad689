import { ReactMoralisError } from '../errors.ts'
import type { Attributes, Loose } from '../Loose.ts'
import type { units } from '../web3/units.ts'

/** Service names for errors; the server's functions are called `<plugin>_<name>`. */
const services = { oneInch: '1inch', opensea: 'OpenSea', rarible: 'Rarible', fiat: 'fiat' }

export type Plugin = keyof typeof services

/** The parts of `Moralis` that a plugin calls. */
type Host = {
  readonly account: string | null
  readonly Units: typeof units
  readonly Cloud: { readonly run: (name: string, params: Attributes) => Promise<Loose> }
}

/** Converts hook input to the parameters that the older package sent. */
const toAsked: Record<Plugin, (input: Attributes, Moralis: Host, name: string) => Attributes> = {
  oneInch(input, Moralis, name) {
    const { chain = 'eth', fromAmount, fromToken, toToken, slippage = 1 } = input
    if (name === 'getSupportedTokens') return { chain }
    const tokens = { chain, fromTokenAddress: fromToken?.address, toTokenAddress: toToken?.address }
    if (name === 'quote') return { ...tokens, amount: Moralis.Units.Token(fromAmount ?? 0, fromToken?.decimals) }
    if (!Moralis.account) throw new ReactMoralisError('No web3 account found, run enableWeb3() first')
    return { ...tokens, amount: fromAmount, fromAddress: Moralis.account, slippage }
  },
  opensea: (input, _, name) => ({ network: 'mainnet', ...(name === 'getOrders' && { page: 1 }), ...input }),
  rarible: (input) => ({ chain: 'eth', ...input }),
  fiat: ({ coin, receiver }) => ({ coin, receiver }),
}

/** Calls a plugin's function on the server; fails with an error that the service has ended if there is none. */
export async function runPlugin(Moralis: Host, plugin: Plugin, name: string, input: Attributes): Promise<Loose> {
  try {
    const asked = toAsked[plugin](input, Moralis, name)
    return readAnswer(await Moralis.Cloud.run(`${plugin}_${name}`, withoutGaps(asked)))
  } catch (error) {
    throw isMissing(error) ? gone(plugin, name, error) : error
  }
}

/** Unwraps the older responses, which were wrapped twice; your own function may respond plainly. */
function readAnswer(answer: Loose): Loose {
  const { success, result } = Object(answer?.data)
  if (success === undefined) return answer
  if (!success) throw new ReactMoralisError(`Something went wrong\n${JSON.stringify(answer.data)}`)
  return result?.data ?? result
}

function withoutGaps(input: Attributes): Attributes {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

function isMissing(error: unknown): boolean {
  const { code, message } = Object(error)
  return code === 141 && /invalid function/i.test(message)
}

function gone(plugin: Plugin, name: string, cause: unknown): ReactMoralisError {
  return new ReactMoralisError(`The ${services[plugin]} plugin of Moralis no longer exists.`, 141, {
    cause,
    details: `Define a function ${plugin}_${name} on the server, which calls a service of your choice; this hook calls it.`,
  })
}
