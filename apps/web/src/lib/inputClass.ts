/** The look of every box that is typed into. */
export const inputClass =
  'block w-full min-h-11 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink transition-colors ' +
  '[&:is(select)]:pe-10 ' +
  'hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted'
