import type { ReactNode } from 'react'
import { say } from '../lib/say.ts'
import type { FormProblem } from '../lib/useFormProblem.ts'
import { Alert } from './Alert.tsx'

type Props = { problem: FormProblem | undefined; secondsLeft: number; actions?: ReactNode; children?: ReactNode }

/** The error summary above a form; nothing when all is well. */
export function FormProblemAlert({ problem, secondsLeft, actions, children }: Props) {
  if (!problem?.message) return null
  return (
    <Alert tone="danger" title={problem.message} actions={actions}>
      {children}
      {problem.retryAfter ? (
        <p aria-live="off">
          {secondsLeft > 0
            ? say('You can try again in {seconds} s.', { seconds: secondsLeft })
            : say('You can try again now.')}
        </p>
      ) : null}
    </Alert>
  )
}
