import { ReactMoralisError } from '../errors/ReactMoralisError.ts'
import { useMoralis } from '../hooks/useMoralis.ts'
import { type ResolveCall, type UseResolveCallOptions, useResolveCall } from '../hooks/useResolveCall.ts'
import type { Attributes, Loose } from '../Loose.ts'

/** What is named in the error; the server's functions are called `<plugin>_<name>`. */
const services = { oneInch: '1inch', opensea: 'OpenSea', rarible: 'Rarible', fiat: 'fiat' }

export type Plugin = keyof typeof services

type Wish = {
  readonly plugin: Plugin
  readonly name: string
  readonly params: Attributes
  readonly initialData?: Loose
  readonly autoFetch?: boolean
  readonly validate?: () => string | undefined
}

/**
 * A call of a plugin of the older server. The services behind the plugins are gone; where the server has a function of
 * the same name, that is called.
 */
export function usePluginCall(
  wish: Wish,
  options: UseResolveCallOptions = {},
): Omit<ResolveCall<Loose, Loose>, 'setData'> {
  const { plugin, name, params, initialData = null, validate } = wish
  const { Moralis, isInitialized } = useMoralis()
  const { setData: _, ...call } = useResolveCall<Loose, Attributes>({
    async call(input) {
      try {
        return readAnswer(await Moralis.Cloud.run(`${plugin}_${name}`, withoutGaps(input)))
      } catch (error) {
        throw isMissing(error) ? gone(plugin, name, error) : error
      }
    },
    initialData,
    params,
    autoFetch: options.autoFetch ?? wish.autoFetch ?? false,
    isReady: isInitialized,
    ...(validate && { validate }),
  })
  return call
}

/** The older answers were wrapped twice; a function of your own may answer plainly. */
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
    details: `Define a function ${plugin}_${name} on the server, which calls the service of your choice, and this hook calls it.`,
  })
}
