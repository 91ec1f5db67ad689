import type { Context } from '../../context/Context.ts'
import { isEmailAddress } from '../../users/email/readEmail.ts'

/** Additions of the legacy service to Parse: chains, units, mail. Each is a request to this server, or arithmetic. */
export type ChainTools = {
  Web3API: object
  SolanaAPI: object
  cloud: { [name: string]: unknown }
}

export function createChainTools(context: Context): ChainTools {
  /** A function that the server has for the older clients, with the rights of the operator whose code this is. */
  const run = async (name: string, params: object = {}): Promise<unknown> => {
    const { appId, masterKey } = context.keys
    const body = JSON.stringify({ ...params, _ApplicationId: appId, _MasterKey: masterKey })
    const answer = await context.ask({ method: 'POST', path: `/functions/${encodeURIComponent(name)}`, body })
    if ('error' in answer) throw Object.assign(new Error(answer.error.error), { code: answer.error.code })
    return (answer.output as { result?: unknown }).result
  }
  const watch = (name: string) => (options: object) => run(name, options)
  return {
    Web3API: createApi((name, params) => run(name, params)),
    SolanaAPI: createApi((name, params) => run(`sol-${name}`, params)),
    cloud: {
      units: convertUnits,
      sendEmail: (options: EmailOptions) => sendEmail(context, options),
      watchContractEvent: watch('watchContractEvent'),
      watchEthAddress: watch('watchEthAddress'),
      watchBscAddress: watch('watchBscAddress'),
      watchPolygonAddress: watch('watchPolygonAddress'),
    },
  }
}

type Provider = new (url: string) => unknown

/**
 * `Moralis.web3ByChain` and `ethersByChain`: the application's own library over the operator's node. That it is installed
 * was seen when the code was loaded.
 */
export function createNodeClients({ config }: Context, load: NodeJS.Require): { [name: string]: unknown } {
  const findNode = (chain: unknown) => {
    const text = String(chain).toLowerCase()
    const found = config.chains.find(({ id, name }) => id === Number(text) || name?.toLowerCase() === text)
    const [url] = found?.rpcUrls ?? []
    if (url === undefined) throw new Error(`No node of chain ${text.slice(0, 40)} is configured. Add one to "chains".`)
    return url
  }
  return {
    web3ByChain(chain: unknown) {
      const library = load('web3') as Provider | { Web3: Provider }
      const Web3 = 'Web3' in library ? library.Web3 : library
      return new Web3(findNode(chain))
    },
    ethersByChain(chain: unknown) {
      const { providers, JsonRpcProvider } = load('ethers') as {
        providers?: { JsonRpcProvider: Provider }
        JsonRpcProvider?: Provider
      }
      const Rpc = JsonRpcProvider ?? providers?.JsonRpcProvider
      if (!Rpc) throw new Error('The installed ethers has no JsonRpcProvider.')
      return new Rpc(findNode(chain))
    },
  }
}

/** `Web3API.account.getTokenBalances(options)`: the group only sorts the names, the function is called by its own. */
function createApi(run: (name: string, params?: object) => Promise<unknown>): object {
  const named = (make: (name: string) => unknown) =>
    new Proxy(Object.create(null) as object, {
      // Something with a `then` would be taken for a promise.
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined),
    })
  return named(() => named((name) => (params?: object) => run(name, params)))
}

type UnitOptions = { method?: unknown; value?: unknown; decimals?: unknown }

const mostDecimals = 77

/** `Cloud.units({ method: 'toWei', value: '1.5', decimals: 18 })`: no digit is lost on the way. */
function convertUnits({ method, value, decimals = 18 }: UnitOptions = {}): string {
  const places = Number(decimals)
  if (!Number.isInteger(places) || places < 0 || places > mostDecimals)
    throw new Error('Cloud.units: decimals must be 0 to 77.')
  const text = String(value ?? '').trim()
  if (method === 'toWei') {
    const [, sign = '', whole = '', part = ''] = /^(-?)(\d{0,90})(?:\.(\d{0,90}))?$/.exec(text) ?? []
    if (whole + part === '') throw new Error(`Cloud.units: ${text.slice(0, 40) || 'an empty text'} is not a number.`)
    if (part.length > places && /[1-9]/.test(part.slice(places))) {
      throw new Error(`Cloud.units: ${text.slice(0, 40)} has more than ${places} decimals.`)
    }
    return BigInt(`${sign}${whole}${part.slice(0, places).padEnd(places, '0')}`).toString()
  }
  if (method === 'fromWei') {
    if (!/^-?\d{1,90}$/.test(text))
      throw new Error(`Cloud.units: ${text.slice(0, 40) || 'an empty text'} is not a whole number.`)
    const amount = BigInt(text)
    const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, '0')
    const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
    const rest = part.replace(/0+$/, '')
    return `${amount < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`
  }
  throw new Error('Cloud.units: method must be toWei or fromWei.')
}

type EmailOptions = { to?: unknown; subject?: unknown; text?: unknown; html?: unknown; templateId?: unknown }

const longestSubject = 300

const longestText = 100_000

/** `Cloud.sendEmail`, by the mailer of this server. Templates lay with the older service. */
async function sendEmail({ mail }: Context, { to, subject, text, html, templateId }: EmailOptions = {}): Promise<void> {
  if (templateId !== undefined && text === undefined && html === undefined) {
    throw new Error('Cloud.sendEmail: templates are not supported. Pass subject and text.')
  }
  if (typeof to !== 'string' || !isEmailAddress(to)) {
    throw new Error('Cloud.sendEmail: to must be one address.')
  }
  const title = typeof subject === 'string' ? subject.trim() : ''
  const body = typeof text === 'string' ? text : typeof html === 'string' ? plainText(html) : ''
  if (title === '' || title.length > longestSubject || /[\r\n]/.test(title)) {
    throw new Error(`Cloud.sendEmail: subject must be one line of at most ${longestSubject} characters.`)
  }
  if (body === '' || body.length > longestText) {
    throw new Error(`Cloud.sendEmail: text must have 1 to ${longestText} characters.`)
  }
  await mail.send({ kind: 'application', to, subject: title, text: body, link: null })
}

/** Mails of this server are plain text. */
function plainText(html: string): string {
  return html
    .slice(0, 4 * longestText)
    .replace(/<(br|\/p|\/div|\/h[1-6]|\/li|\/tr)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()
}
