import { useDeleteDocument, useFunction, useLiveDocuments, useSession } from '@countersign/react'
import { useEffect } from 'react'

const moment = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })

/** Live list of all messages, the newest first. */
export function MessageList() {
  const session = useSession()
  const user = session.status === 'authenticated' ? session.user : undefined
  const messages = useLiveDocuments('Message', { order: ['-createdAt'], limit: 50 })
  const { deleteDocument, error } = useDeleteDocument({ optimistic: true })
  const problem = messages.error ?? error
  return (
    <section aria-labelledby="latest">
      <div className="row heading">
        <h2 id="latest">Latest</h2>
        <Count newest={messages.data?.[0]?.objectId} />
      </div>
      {problem && (
        <p className="alert" role="alert">
          {problem.message}
        </p>
      )}
      {messages.status === 'pending' && (
        <output className="card loading" aria-label="Loading messages">
          <span />
          <span />
          <span />
        </output>
      )}
      {messages.data?.length === 0 && (
        <div className="card empty">
          <h3>No messages yet</h3>
          <p>{user ? 'Write the first one.' : 'Sign in and write the first one.'}</p>
        </div>
      )}
      {messages.data && messages.data.length > 0 && (
        <ul className="card">
          {messages.data.map((message) => {
            const { objectId, text, name = user?.username ?? '', author, createdAt } = message
            const isOwn = author.objectId === user?.objectId
            return (
              <li key={objectId}>
                <span className="avatar" aria-hidden="true">
                  {name.slice(0, name.startsWith('0x') ? 4 : 1)}
                </span>
                <div className="message">
                  <p className="by">
                    <span className="name" title={name}>
                      {name}
                    </span>
                    <Time at={createdAt} />
                  </p>
                  <p className="text">{text}</p>
                </div>
                {isOwn && (
                  <button
                    type="button"
                    className="quiet"
                    aria-label={`Delete “${text}”`}
                    onClick={() => void deleteDocument(message)}
                  >
                    Delete
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** From the function in `cloud/messages.ts`: the list holds 50 at most. */
function Count({ newest }: { newest: string | undefined }) {
  const { data: count, refetch } = useFunction('countMessages', {})
  useEffect(() => {
    if (newest) void refetch()
  }, [newest, refetch])
  if (!count || count.all === 0) return null
  return (
    <p className="count">
      {count.all === 1 ? '1 message' : `${count.all} messages`}
      {count.own > 0 && `, ${count.own} by you`}
    </p>
  )
}

function Time({ at }: { at: Date | undefined }) {
  if (!at) return <span className="time">now</span>
  return (
    <time className="time" dateTime={at.toISOString()} title={at.toLocaleString()}>
      {moment.format(at)}
    </time>
  )
}
