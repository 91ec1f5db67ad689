import { authenticateByProof } from '../actions/authenticate.ts'
import { getUser } from '../actions/getUser.ts'
import { linkWallet } from '../actions/linkWallet.ts'
import type { User } from '../User.ts'
import type { Wallet } from '../Wallet.ts'
import type { Connector } from '../wallet/Connector.ts'
import { askWallet } from './askWallet.ts'
import type { FlowRun } from './FlowRun.ts'

/** Has the wallet sign in, or link itself. */
export async function signStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, linking, restores } = run
  if (linking) {
    const linked = await askWallet<Wallet>(run, connector, (input, callbacks) => linkWallet(client, input, callbacks))
    const user = linked && getUser(client)
    if (user) run.finish(connector.id, user)
    return
  }
  const signedIn = await askWallet<User>(run, connector, (input, callbacks) =>
    authenticateByProof(client, { ...input, restoreAccount: restores }, callbacks),
  )
  if (!signedIn) return
  const { data: user, message } = signedIn
  run.finish(connector.id, user, { isNew: user.createdAt.getTime() >= readIssued(message) })
}

/** When the message was written, by the server's clock, as the user's dates are. */
function readIssued(message = ''): number {
  return Date.parse(/^Issued At: (\S+)$/m.exec(message)?.[1] ?? '') || Number.POSITIVE_INFINITY
}
