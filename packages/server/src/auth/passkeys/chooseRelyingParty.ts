import { isIP } from 'node:net'
import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'

/** Whom a passkey is for: the host that it is bound to, and the page that asks for it. */
export type RelyingParty = { rpId: string; origin: string }

/** From the configuration alone: a passkey is bound to the public host, whatever the Host header says. */
export function chooseRelyingParty({ config, publicUrl }: Context, caller: Caller): RelyingParty {
  const own = new URL(publicUrl)
  const rpId = hostFor(own, config.production)
  const { origin = own.hostname === rpId ? own.origin : `http://${rpId}:${own.port || 80}` } = caller
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  const offered =
    page?.origin === origin &&
    belongsTo(page.hostname, rpId) &&
    (origin === own.origin ||
      config.wallet.origins.some((named) => new URL(named).origin === origin) ||
      // While developing, the page may come from a server of its own on another port.
      (!config.production && page.hostname === 'localhost'))
  if (offered) return { rpId, origin }
  throw new CountersignError('OperationForbidden', `Passkeys are not offered on ${origin.slice(0, 200)}.`, {
    status: 403,
    details: `They are bound to ${rpId}. Open the page there; other origins of that host are named in wallet.origins in the configuration.`,
  })
}

/** Browsers bind no passkey to an address without a name; on the developer's machine there is one for it. */
function hostFor({ hostname }: URL, production: boolean): string {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0) return hostname
  if (!production && (bare.startsWith('127.') || bare === '::1')) return 'localhost'
  throw refuse('passkeysNeedHostName', undefined, {
    details: 'The operator can set COUNTERSIGN_PUBLIC_URL to an address with a host name.',
  })
}

function belongsTo(host: string, rpId: string): boolean {
  return host === rpId || host.endsWith(`.${rpId}`)
}
