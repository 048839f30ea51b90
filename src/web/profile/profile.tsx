// The page about the agent who is signed in.

import { start } from '../shared/start.tsx';
import { ProfilePage } from './profile-page.tsx';

await start(ProfilePage);
