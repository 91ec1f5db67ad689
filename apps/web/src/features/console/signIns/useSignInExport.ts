import type { SignInLogRecord, WireFields } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import { useState } from 'react'
import { downloadText } from '../../../ui/downloadText.ts'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { describeError } from '../../../ui/forms/describeError.ts'
import { ask, type Input } from '../ask.ts'
import { toCsv } from '../dataBrowser/dataValues.ts'

/** Rows of one file. */
const mostExported = 10_000

const columns = ['at', 'userId', 'username', 'method', 'result', 'reason', 'count', 'ipAddress', 'userAgent']

/** Downloads the sign-ins of a filter as CSV, page by page. */
export function useSignInExport(input: Input<'listSignIns'>) {
  const [pending, setPending] = useState(false)
  const exportRows = async () => {
    setPending(true)
    try {
      const rows: WireFields[] = []
      let after: string | undefined
      do {
        const page = await ask('listSignIns', { ...input, limit: '100', ...(after !== undefined && { after }) })
        rows.push(...page.results.map(flatten))
        after = page.next
      } while (after !== undefined && rows.length < mostExported)
      downloadText('sign-ins.csv', 'text/csv', [toCsv(columns, rows)])
    } catch (error) {
      toasts.add(describeError(error as CountersignError).message, 'danger')
    }
    setPending(false)
  }
  return { pending, exportRows }
}

const flatten = ({ user, objectId: _id, ...row }: SignInLogRecord): WireFields => ({
  ...row,
  ...(user && { userId: user.objectId, username: user.username }),
})
