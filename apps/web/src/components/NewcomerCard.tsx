import type { User } from '@countersign/react'
import { useSyncExternalStore } from 'react'
import { newcomer } from '../lib/newcomer.ts'
import { say } from '../lib/say.ts'
import { Button } from './Button.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'

/** Invites whoever came for the first time, once. */
export function NewcomerCard({ user }: { user: User }) {
  const isNew = useSyncExternalStore(newcomer.subscribe, newcomer.get) === user.objectId
  if (!isNew) return null
  return (
    <Card aria-labelledby="newcomer">
      <CardHeader
        id="newcomer"
        title={say('Make it yours')}
        aside={
          <div className="flex flex-wrap gap-2">
            <Button look="ghost" onClick={newcomer.greet}>
              {say('Not now')}
            </Button>
            <ButtonLink to="/welcome">{say('Set up your account')}</ButtonLink>
          </div>
        }
      >
        {say('Choose a name and a picture, and add a second way in. It takes a minute.')}
      </CardHeader>
    </Card>
  )
}
