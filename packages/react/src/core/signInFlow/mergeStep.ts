import { getUser } from '../actions/getUser.ts'
import { merge } from '../actions/merge.ts'
import { previewMerge } from '../actions/previewMerge.ts'
import type { MergePreview } from '../MergePreview.ts'
import type { Connector } from '../wallet/Connector.ts'
import { askWallet } from './askWallet.ts'
import type { FlowRun } from './FlowRun.ts'
import { settle } from './settle.ts'
import { showFailure } from './showFailure.ts'

/** The wallet proves the other account; then what a merge would move is shown. */
export async function previewStep(run: FlowRun, connector: Connector): Promise<void> {
  const proven = await askWallet<MergePreview>(run, connector, (input, callbacks) =>
    previewMerge(run.client, input, callbacks),
  )
  if (proven) run.show({ status: 'merging', connector, preview: proven.data, pending: false })
}

export async function mergeStep(run: FlowRun, connector: Connector, preview: MergePreview): Promise<void> {
  const { client, signal, show } = run
  show({ status: 'merging', connector, preview, pending: true })
  const { objectId, from } = preview
  const outcome = await settle(() => merge(client, { objectId }, { signal, throwOnError: true }))
  const user = getUser(client)
  if ('error' in outcome) showFailure(run, { connector }, outcome.error)
  else if (user && outcome.data) {
    const { undoUntil } = outcome.data
    run.finish(connector.id, user, { merged: { objectId, username: from.username, undoUntil } })
  }
}
