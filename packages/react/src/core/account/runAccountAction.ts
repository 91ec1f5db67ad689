import type { Client } from '../client/Client.ts'
import { requireUser } from '../client/guards.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { NotAuthenticatedError } from '../errors/errors.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SignerInput } from '../state/Connector.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt, readSigner, signRequestKey, type WalletProof } from '../wallet/proof/openPrompt.ts'

const loadAccountActions = /*#__PURE__*/ loadOnce(async () => (await import('./accountActions.ts')).accountActions)

type AccountActions = Awaited<ReturnType<typeof loadAccountActions>>

/** Runs an action on the account. What it does is fetched with the first of them; `actions/` holds what it takes. */
export function runAccountAction<Data>(
  client: Client,
  { signal }: ActionOptions = {},
  act: (account: AccountActions, signal: AbortSignal | undefined) => Promise<Data>,
): Promise<Data> {
  return runAction(client, async () => act(await loadAccount(client), signal))
}

const purposes = { link: 'linking a wallet', merge: 'merging accounts', reauthenticate: 'confirming' } as const

/**
 * As `runAccountAction`, where a wallet proves something first. It is asked at once: what is done with the proof is
 * fetched meanwhile. A proof that was signed too late is asked for once more.
 */
export function runWalletProof<Data>(
  client: Client,
  purpose: keyof typeof purposes,
  input: SignerInput,
  { signal }: ActionOptions = {},
  act: (account: AccountActions, proof: WalletProof, signal: AbortSignal) => Promise<Data>,
): Promise<Data> {
  return runAction(client, async () => {
    requireUser(client, purposes[purpose])
    const chosen = readSigner(client, input)
    return openPrompt(client, signRequestKey(purpose, chosen), signal, async ({ signal }) => {
      const loading = loadAccount(client)
      loading.catch(() => undefined)
      const { proveWallet } = await loadWalletLayer()
      const handIn = async (proof: WalletProof) => act(await loading, proof, signal)
      return proveWallet(client, { purpose, chosen, signal }, handIn)
    })
  })
}

/** The actions on the account, for the user who asked, and not for one who signed in while they were fetched. */
export async function loadAccount(client: Client): Promise<AccountActions> {
  const askedBy = userId(client)
  const account = await loadAccountActions()
  if (userId(client) !== askedBy) throw new NotAuthenticatedError('Another user signed in before this was done')
  return account
}

function userId({ internal }: Client): string | undefined {
  return internal.current?.record.objectId
}
