// The tags of the station Hill reservoir of the demo plant. Pure.
// biome-ignore-all format: one row for each tag

import { tagsOf } from '../tag.ts';

const station = 'Hill reservoir';

export const hillReservoirTags = [
  ...tagsOf(station, 'Reservoir', 'Process', [
    ['Reservoir/R1/Level_L', 'Reservoir 1 level low', 3, '<2.5', '2.38 m', '4.10 m', 4, 60, 'Pressure in the upper town falls.', 'Raise the flow from North works.'],
    ['Reservoir/R1/Level_LL', 'Reservoir 1 level very low', 1, '<1.5', '1.42 m', '4.10 m', 0.3, 90, 'The upper town is without water.', 'Open the link to reservoir 2.'],
    ['Reservoir/R1/Level_H', 'Reservoir 1 level high', 3, '>6', '6.07 m', '4.10 m', 4, 25, 'Water runs over the weir.', 'Lower the flow.'],
    ['Reservoir/R2/Level_L', 'Reservoir 2 level low', 3, '<2.5', '2.44 m', '4.30 m', 3, 60, 'Pressure in the east falls.', 'Raise the flow from North works.'],
    ['Reservoir/R2/Level_HH', 'Reservoir 2 level very high', 2, '>6.4', '6.42 m', '4.30 m', 2, 20, 'Water runs over the weir.', 'Close valve 7, stop the transfer.'],
    ['Reservoir/R2/Residual_L', 'Residual chlorine low in reservoir 2', 3, '<0.08', '0.07 mg/l', '0.22 mg/l', 4, 70, 'Germs may grow.', 'Dose by hand, take a sample.'],
    ['Reservoir/R2/Hatch', 'Hatch of reservoir 2 open', 1, '1', '1', '0', 0.4, 15, 'Drinking water is open to anybody.', 'Close the outlet, send security.'],
    ['Reservoir/Leak/Drain', 'Water in the drain of reservoir 1', 3, '>5', '7 l/min', '0 l/min', 2, 110, 'The wall leaks.', 'Measure again, compare with the rain.'],
  ]),
  ...tagsOf(station, 'Valves', 'Pumps', [
    ['Reservoir/Valve-7/Travel', 'Valve 7 travel time exceeded', 2, '>80', '94 s', '52 s', 6, 34, 'The reservoir cannot be closed.', 'Drive it by hand, grease it.'],
    ['Reservoir/Valve-7/Torque', 'Valve 7 torque switch', 3, '1', '1', '0', 3, 30, 'The valve stops half open.', 'Drive it back and forth.'],
    ['Reservoir/Valve-9/Position', 'Valve 9 position unclear', 3, '1', '1', '0', 4, 18, 'Flow may go both ways.', 'Look at the valve.'],
    ['Reservoir/Booster-1/Pressure', 'Booster 1 pressure low', 2, '<4', '3.5 bar', '5.8 bar', 2.6, 15, 'Upper floors have no water.', 'Start booster 2.'],
    ['Reservoir/Booster-2/Dry', 'Booster 2 runs dry', 2, '1', '1', '0', 1.2, 10, 'The pump is damaged within minutes.', 'Stop it, vent the line.'],
  ]),
  ...tagsOf(station, 'Telemetry', 'Electrical', [
    ['Telemetry/RTU-9/Battery', 'RTU 9 on battery', 3, '<12', '11.9 V', '13.4 V', 19, 68, 'The station is blind in 8 h.', 'Check the fuse of the charger.'],
    ['Telemetry/RTU-9/Link', 'RTU 9 link lost', 3, '1', '1', '0', 7, 6, 'Values stand still.', 'Restart the modem.'],
    ['Telemetry/RTU-11/Link', 'RTU 11 link lost', 3, '1', '1', '0', 5, 7, 'Values stand still.', 'Restart the modem.'],
    ['Telemetry/Clock', 'RTU clock differs', 4, '>5', '8 s', '0 s', 2, 200, 'Times in the log are wrong.', 'Set the clock.'],
    ['Reservoir/Solar/Charge', 'Solar charger fault', 4, '1', '1', '0', 3, 150, 'The battery is empty in three days.', 'Clean the panels.'],
  ]),
  ...tagsOf(station, 'Hill site', 'Site security', [
    ['Reservoir/Fence', 'Fence touched', 3, '1', '1', '0', 5, 5, 'Somebody may climb over.', 'Look at the camera.'],
    ['Reservoir/Camera', 'Camera 2 dark', 4, '1', '1', '0', 3, 120, 'Nobody sees the gate.', 'Switch on the lamp.'],
    ['Reservoir/Door', 'Valve chamber door open', 2, '1', '1', '0', 1.4, 14, 'Anybody can close the valves.', 'Ask who is there, send security.'],
    ['Reservoir/Fire', 'Smoke in the switch room', 1, '1', '1', '0', 0.2, 10, 'The telemetry burns.', 'Call the fire brigade.'],
    ['Reservoir/Heating', 'Frost heater failed', 4, '1', '1', '0', 2, 180, 'Pipes freeze in a cold night.', 'Change the fuse.'],
    ['Reservoir/Lightning', 'Surge arrester tripped', 4, '1', '1', '0', 1.2, 300, 'The next strike hits the RTU.', 'Change the cartridge.'],
  ]),
];
