// Loaded before the first paint, so that a chosen theme never flashes the other one.
;(() => {
  let theme = null
  try {
    theme = localStorage.getItem('Countersign/theme')
  } catch {
    // Storage is refused in some privacy modes: the system's theme then stands.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#131210' : '#f7f5f0')
})()
