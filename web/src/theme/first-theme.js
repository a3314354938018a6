// Sets the theme before the page is first drawn (theme.ts, 2). The build puts it into the head of the page.
try {
  const theme = localStorage.getItem('parley.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // The browser allows no storage here.
}
