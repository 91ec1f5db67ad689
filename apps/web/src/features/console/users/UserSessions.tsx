import type { ConsoleUserRecord } from '@countersign/protocol'
import { useState } from 'react'
import { describeOrigin } from '../../../account/describeActivity.ts'
import { nameDevice } from '../../../account/describeDevice.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/DetailRow.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { useAct, useConsole } from '../ask.ts'

type Props = { user: ConsoleUserRecord; onChanged: () => void }

const mostShown = 50

/** Open sessions of a user; each can be ended alone. */
export function UserSessions({ user: { objectId, sessions, operator }, onChanged }: Props) {
  const { role } = useConsole()
  const act = useAct()
  const [pending, setPending] = useState<string>()
  const mayEnd = role === 'admin' || (role === 'support' && !operator)
  const end = async (sessionId: string) => {
    setPending(sessionId)
    const done = await act('endUserSession', { objectId, sessionId })
    setPending(undefined)
    if (!done) return
    toasts.add(t('Session ended'), 'ok')
    onChanged()
  }
  return (
    <Card aria-labelledby="sessions">
      <CardHeader id="sessions" title={t('Sessions')} />
      {sessions.length === 0 && <p className="text-sm text-muted">{t('No active sessions')}</p>}
      <ul aria-label={t('Sessions')} className="-my-3 divide-y divide-line">
        {sessions.slice(0, mostShown).map((session) => {
          const device = nameDevice(session.userAgent)
          return (
            <li key={session.objectId} className="flex items-center gap-3 py-3">
              <div className="min-w-0 flex-1">
                <p className="font-semibold">{device}</p>
                <p className="text-sm text-muted wrap-anywhere">
                  <Facts
                    items={[
                      describeOrigin(session.createdWith),
                      <RelativeTime key="used" date={new Date(session.lastUsedAt?.iso ?? session.createdAt)} />,
                      session.ipAddress,
                    ]}
                  />
                </p>
              </div>
              {mayEnd && (
                <Button
                  look="secondary"
                  aria-label={t('End session: {device}', { device })}
                  pending={pending === session.objectId}
                  onClick={() => void end(session.objectId)}
                >
                  {t('End session')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
