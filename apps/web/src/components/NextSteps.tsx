import type { User } from '@countersign/react'
import { Check } from 'lucide-react'
import { readProfile } from '../lib/readProfile.ts'
import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { TextLink } from './TextLink.tsx'

type Step = { done: boolean; title: string; text: string; action: string; to: string }

/** What is worth doing next; gone when all of it is done. */
export function NextSteps({ user }: { user: User }) {
  const { verifyUserEmails } = useConfig()
  const steps = listSteps(user, verifyUserEmails)
  const open = steps.filter((step) => !step.done)
  if (open.length === 0) return null
  return (
    <Card aria-labelledby="next-steps">
      <CardHeader id="next-steps" title={say('Good next steps')}>
        {say('{done} of {all} done.', { done: steps.length - open.length, all: steps.length })}
      </CardHeader>
      <ul className="divide-y divide-line border-t border-line">
        {steps.map(({ done, title, text, action, to }) => (
          <li key={title} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3.5 last:pb-0">
            <span
              className={
                done
                  ? 'grid size-7 shrink-0 place-items-center rounded-full bg-accent text-on-accent'
                  : 'size-7 shrink-0 rounded-full border-2 border-edge'
              }
            >
              {done && <Check size={16} strokeWidth={3} role="img" aria-label={say('Done:')} />}
            </span>
            <span className="min-w-0 flex-1 basis-48">
              <span className="block font-semibold">{title}</span>
              {!done && <span className="block text-sm text-muted">{text}</span>}
            </span>
            {!done && (
              <TextLink to={to} className="inline-flex min-h-11 items-center text-sm max-sm:ms-11">
                {action}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function listSteps(user: User, verifyUserEmails: boolean): Step[] {
  const steps: Step[] = [
    { done: true, title: say('Create your account'), text: '', action: '', to: '/' },
    {
      done: Boolean(user.email),
      title: say('Add an e-mail address'),
      text: say('It is the way back in if you forget your password.'),
      action: say('Add it'),
      to: '/account/profile',
    },
  ]
  // Without an address there is no mail to look for yet.
  if (verifyUserEmails && user.email)
    steps.push({
      done: user.emailVerified === true,
      title: say('Verify your e-mail address'),
      text: say('Open the link in the mail that we sent you.'),
      action: say('Send it again'),
      to: '/account/profile',
    })
  steps.push({
    done: readProfile(user).fields.length > 0,
    title: say('Tell a little more'),
    text: say('Add fields of your own to your profile: a city, a birthday, a motto.'),
    action: say('Add a field'),
    to: '/account/profile',
  })
  return steps
}
