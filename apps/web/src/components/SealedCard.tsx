import { Check } from 'lucide-react'
import { say } from '../lib/say.ts'
import { Logo } from './Logo.tsx'
import { Rosette } from './Rosette.tsx'
import { Signature } from './Signature.tsx'

/** A deed with its seal, twice signed: the picture of the home page. Decorative, and in nobody’s way: it reaches under the header. */
export function SealedCard() {
  return (
    <div aria-hidden="true" className="pointer-events-none relative mx-auto w-full max-w-md max-sm:hidden">
      <Rosette className="absolute top-1/2 left-1/2 w-[132%] max-w-none -translate-1/2 opacity-60 [mask-image:radial-gradient(closest-side,black_62%,transparent)]" />
      <div className="relative mx-auto w-4/5 -rotate-3 rounded-card border border-line bg-surface p-6 shadow-float">
        <div className="flex items-center justify-between">
          <Logo size={36} />
          <span className="h-2.5 w-16 rounded-full bg-sunken" />
        </div>
        <span className="mt-7 block h-3 w-3/5 rounded-full bg-ink/80" />
        <span className="mt-4 block h-2.5 w-full rounded-full bg-sunken" />
        <span className="mt-2.5 block h-2.5 w-11/12 rounded-full bg-sunken" />
        <span className="mt-2.5 block h-2.5 w-2/3 rounded-full bg-sunken" />
        <div className="mt-9 grid grid-cols-2 gap-6">
          <Signature path="M2 26c6-18 12-22 14-14s-8 20-2 14 10-18 14-12-4 12 2 10 8-10 12-10 4 8 10 6 10-8 18-10" />
          <Signature path="M2 20c8-4 10-16 16-14s-6 20 2 18 10-20 16-16-6 18 2 16 12-12 16-10 2 8 18 2" />
        </div>
      </div>
      <span className="absolute -end-1 -bottom-4 flex rotate-2 items-center gap-2 rounded-full bg-accent py-2 ps-2.5 pe-4 text-sm font-semibold text-on-accent shadow-float">
        <span className="grid size-6 place-items-center rounded-full bg-on-accent text-accent">
          <Check size={15} strokeWidth={3} />
        </span>
        {say('Countersigned')}
      </span>
    </div>
  )
}
