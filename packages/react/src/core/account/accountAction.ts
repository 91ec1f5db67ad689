import type { Client } from '../client/Client.ts'
import { requireUser } from '../client/guards.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { NotAuthenticatedError } from '../errors/errors.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SignerInput } from '../state/Connector.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt } from '../wallet/proof/openPrompt.ts'
import { readSigner, signRequestKey } from '../wallet/proof/readSigner.ts'
import type { WalletProof } from '../wallet/proof/WalletProof.ts'

const loadBodies = /*#__PURE__*/ loadOnce(async () => (await import('./bodies/accountBodies.ts')).accountBodies)

type AccountBodies = Awaited<ReturnType<typeof loadBodies>>

type Act = (client: Client, ...given: readonly unknown[]) => Promise<unknown>

/** An action on the account by the name of its body, which has its signature. The first call fetches all bodies. */
export function accountAction<Name extends keyof AccountBodies>(name: Name): AccountBodies[Name] {
  const act: Act = (client, ...given) =>
    runAccountAction(client, (account) => (account[name] as unknown as Act)(client, ...given))
  return act as unknown as AccountBodies[Name]
}

/** For an action that does something at once, before its body is there. */
export function runAccountAction<Data>(client: Client, act: (account: AccountBodies) => Promise<Data>): Promise<Data> {
  return runAction(client, async () => act(await loadAccount(client)))
}

/** Actions that need a signed-in user; a proof for `signIn` needs none. */
const purposes = {
  link: 'linking a wallet',
  merge: 'merging accounts',
  reauthenticate: 'confirming',
  signIn: undefined,
} as const

/**
 * Like `runAccountAction`, with a proof by a wallet first. The wallet is asked immediately, while the code that uses
 * the proof is loaded. A proof that was signed too late is requested once more.
 */
export function runWalletProof<Data>(
  client: Client,
  purpose: keyof typeof purposes,
  input: SignerInput,
  { signal }: ActionOptions = {},
  act: (account: AccountBodies, proof: WalletProof, options: ActionOptions) => Promise<Data>,
): Promise<Data> {
  return runAction(client, async () => {
    const needsUser = purposes[purpose]
    if (needsUser) requireUser(client, needsUser)
    const chosen = readSigner(client, input)
    return openPrompt(client, signRequestKey(purpose, chosen), signal, async ({ signal }) => {
      const loading = loadAccount(client)
      loading.catch(() => undefined)
      const { proveWallet } = await loadWalletLayer()
      const handIn = async (proof: WalletProof) => act(await loading, proof, { signal })
      return proveWallet(client, { purpose, chosen, signal }, handIn)
    })
  })
}

/** Loads the bodies for the calling user, and fails if another signed in while they were loaded. */
export async function loadAccount(client: Client): Promise<AccountBodies> {
  const askedBy = userId(client)
  const account = await loadBodies()
  if (userId(client) !== askedBy) throw new NotAuthenticatedError('Another user signed in before this was finished')
  return account
}

function userId({ internal }: Client): string | undefined {
  return internal.current?.record.objectId
}
