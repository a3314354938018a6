/** The colours that are offered for channels, with their names. They are those that the server gives. */
export const channelColors = [
  { color: '#76ce90', name: 'Green' },
  { color: '#fae589', name: 'Light yellow' },
  { color: '#a6c7e5', name: 'Light blue' },
  { color: '#e79ab5', name: 'Pink' },
  { color: '#bfd56f', name: 'Lime' },
  { color: '#f4ae55', name: 'Orange' },
  { color: '#b0a5fd', name: 'Lavender' },
  { color: '#addfe5', name: 'Cyan' },
  { color: '#f5ce6e', name: 'Yellow' },
  { color: '#c2726a', name: 'Brick red' },
  { color: '#94c849', name: 'Grass green' },
  { color: '#bd86e5', name: 'Purple' },
  { color: '#ee7e4a', name: 'Dark orange' },
  { color: '#a6dcbf', name: 'Mint' },
  { color: '#95a5fd', name: 'Blue' },
  { color: '#53a063', name: 'Dark green' },
] as const
