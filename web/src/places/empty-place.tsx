import { Icon, type IconName } from '../ui/icon.js'

/** Shows what a view says while nothing is in it. It says what would be here, and where it comes from. */
export const EmptyPlace = ({ icon, title, text }: { icon: IconName; title: string; text: string }) => (
  <div class="place-page place-empty" tabIndex={-1}>
    <Icon name={icon} size={36} />
    <p class="place-empty-title">{title}</p>
    <p>{text}</p>
  </div>
)
