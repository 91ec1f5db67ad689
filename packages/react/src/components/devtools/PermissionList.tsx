import { useState } from 'react'
import { listPermissions } from '../../core/devtools/listPermissions.ts'
import { toCountersignError } from '../../core/errors/toCountersignError.ts'
import { useClient } from '../../hooks/useClient.ts'

type Answer = { readonly permissions: readonly string[] } | { readonly error: string }

/** What the wallet lets the page do, asked for by a click: some wallets take note of being asked. */
export function PermissionList() {
  const client = useClient()
  const [answer, setAnswer] = useState<Answer>()
  const ask = () =>
    void listPermissions(client).then(
      (permissions) => setAnswer({ permissions }),
      (error: unknown) => setAnswer({ error: toCountersignError(error).message }),
    )
  return (
    <>
      <h3>Permissions</h3>
      <div role="status">
        {answer && 'error' in answer && <p className="danger">{answer.error}</p>}
        {answer && 'permissions' in answer && answer.permissions.length === 0 && <p className="muted">None.</p>}
        {answer && 'permissions' in answer && answer.permissions.length > 0 && (
          <ul>
            {answer.permissions.map((permission) => (
              <li key={permission} className="code">
                {permission}
              </li>
            ))}
          </ul>
        )}
      </div>
      <button type="button" className="button" onClick={ask}>
        Ask the wallet
      </button>
    </>
  )
}
