import { useSession } from '@countersign/react'
import { useEffect, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { AvatarField } from '../components/AvatarField.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { Card } from '../components/Card.tsx'
import { CardHeader } from '../components/CardHeader.tsx'
import { Main } from '../components/Main.tsx'
import { NameForm } from '../components/NameForm.tsx'
import { NameOffers } from '../components/NameOffers.tsx'
import { PageHeading } from '../components/PageHeading.tsx'
import { PageTitle } from '../components/PageTitle.tsx'
import { SecondWayIn } from '../components/SecondWayIn.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { newcomer } from '../lib/newcomer.ts'
import { safeNext } from '../lib/safeNext.ts'
import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'

/** The first screen of a new account. Nothing on it has to be done, and it comes once. */
export function Newcomer() {
  const { appName } = useConfig()
  const user = findSessionUser(useSession())
  const [search] = useSearchParams()
  const [taken, setTaken] = useState('')
  const next = safeNext(search.get('next'))
  useEffect(() => newcomer.greet(), [])
  if (!user) return <Navigate to="/" replace />
  return (
    <Main className="mx-auto flex w-full max-w-2xl flex-col gap-6 px-4 pt-6 pb-12 sm:px-6 sm:pt-10">
      <PageTitle>{say('Welcome')}</PageTitle>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 flex-1 basis-64">
          <PageHeading className="text-2xl break-words sm:text-3xl">
            {say('Hello, {name}', { name: user.username })}
          </PageHeading>
          <p className="mt-2 text-muted">
            {say('Welcome to {app}. Three things that are good to do now; each of them can wait.', { app: appName })}
          </p>
        </div>
        <ButtonLink look="ghost" to={next} replace className="max-sm:-ms-4.5">
          {say('Skip for now')}
        </ButtonLink>
      </div>
      <Card aria-labelledby="welcome-name">
        <CardHeader id="welcome-name" title={say('Your name')} />
        <div className="flex flex-col gap-4">
          <NameForm key={`${user.objectId} ${taken}`} user={user} />
          <NameOffers user={user} onTaken={setTaken} />
        </div>
      </Card>
      <Card aria-labelledby="welcome-picture">
        <CardHeader id="welcome-picture" title={say('Your picture')} />
        <AvatarField user={user} />
      </Card>
      <Card aria-labelledby="welcome-ways-in">
        <CardHeader id="welcome-ways-in" title={say('A second way in')}>
          {say('So that you can get back in when you lose the first.')}
        </CardHeader>
        <SecondWayIn user={user} />
      </Card>
      <ButtonLink to={next} replace className="self-stretch sm:self-end">
        {say('Done')}
      </ButtonLink>
    </Main>
  )
}
