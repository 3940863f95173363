// The tags of the station River intake of the demo plant. Pure.
// biome-ignore-all format: one row for each tag

import { tagsOf } from '../tag.ts';

const station = 'River intake';

export const riverIntakeTags = [
  ...tagsOf(station, 'Intake pumps', 'Pumps', [
    ['Intake/P-101/Bearing_DE_Temp', 'P-101 drive-end bearing over temperature', 1, '>85', '93.4 °C', '61.0 °C', 2.4, 14, 'Bearing seizes in 20 min, intake falls to 60 %.', 'Start P-103, stop P-101, check the oil sight glass.'],
    ['Intake/P-101/Vibration', 'P-101 vibration high', 2, '>7.1', '7.6 mm/s', '2.3 mm/s', 2.4, 20, 'The bearing wears out within days.', 'Compare with P-102, order a measurement.'],
    ['Intake/P-101/Motor_Current', 'P-101 motor current high', 3, '>58', '61 A', '47 A', 3, 12, 'The motor protection trips.', 'Check the screen for blockage.'],
    ['Intake/P-102/Discharge_Pressure', 'P-102 discharge pressure low', 2, '<2.2', '1.8 bar', '3.4 bar', 3, 16, 'The rising main may drain.', 'Check the non-return valve, then start P-103.'],
    ['Intake/P-102/Seal_Leak', 'P-102 seal leaks', 3, '1', '1', '0', 1.6, 55, 'The pump pit fills slowly.', 'Look at the seal on the next round.'],
    ['Intake/P-103/Not_Available', 'P-103 not available', 3, '1', '1', '0', 1.2, 90, 'No spare pump at the intake.', 'Reset the drive, else call the electrician.'],
    ['Intake/Pit/Level_H', 'Pump pit level high', 2, '>40', '43 cm', '8 cm', 1, 25, 'Motors stand in water from 60 cm on.', 'Check the drain pump, lower the intake.'],
  ]),
  ...tagsOf(station, 'Intake screen', 'Pumps', [
    ['Intake/Screen/Torque', 'Intake screen torque high', 2, '>110', '118 %', '54 %', 8, 18, 'The screen stops and the intake runs dry.', 'Run the rake backwards twice, then look.'],
    ['Intake/Screen/Diff_Level', 'Screen differential level high', 3, '>0.3', '0.38 m', '0.06 m', 7, 22, 'Less water reaches the pumps.', 'Start a cleaning run.'],
    ['Intake/Screen/Rake_Timeout', 'Screen rake travel time exceeded', 3, '>90', '97 s', '62 s', 3.2, 10, 'Leaves collect in front of the bars.', 'Look at the limit switches.'],
    ['Intake/Screen/Container_Full', 'Screenings container full', 4, '1', '1', '0', 2, 240, 'Screenings fall beside the container.', 'Order an exchange of the container.'],
  ]),
  ...tagsOf(station, 'Intake power', 'Electrical', [
    ['Intake/MCC-1/Undervoltage', 'MCC-1 undervoltage', 1, '<380', '362 V', '401 V', 0.6, 6, 'All pumps of the intake stop.', 'Check the feeder, be ready to start the generator.'],
    ['Intake/MCC-1/Earth_Fault', 'MCC-1 earth fault', 2, '1', '1', '0', 0.8, 45, 'The feeder trips when a second fault comes.', 'Switch off consumers one by one.'],
    ['Intake/Generator/Fuel_L', 'Generator fuel low', 3, '<30', '27 %', '82 %', 0.7, 600, 'Less than four hours of emergency power.', 'Order fuel.'],
    ['Intake/UPS/Battery', 'UPS on battery', 3, '1', '1', '0', 2.2, 9, 'Controls stop in 30 min.', 'Check the incoming supply.'],
  ]),
  ...tagsOf(station, 'River', 'Process', [
    ['River/Level_H', 'River level high', 3, '>3.2', '3.31 m', '1.85 m', 1.4, 300, 'The access road floods at 3.8 m.', 'Watch it, warn the shift.'],
    ['River/Level_HH', 'River level very high', 1, '>3.7', '3.74 m', '1.85 m', 0.2, 420, 'The intake building floods.', 'Close the gate, leave the building.'],
    ['River/Turbidity', 'Raw water turbidity high', 3, '>60', '74 NTU', '12 NTU', 6, 35, 'Filters block early.', 'Raise the dose of flocculant.'],
    ['River/Oil_Film', 'Oil film on raw water', 1, '1', '1', '0', 0.5, 60, 'Oil reaches the filters.', 'Close the gate, set out the boom, take a sample.'],
    ['River/Temperature', 'Raw water temperature high', 4, '>24', '24.6 °C', '14.1 °C', 2.4, 180, 'Chlorine decays faster.', 'Tell the laboratory.'],
    ['River/Conductivity', 'Raw water conductivity high', 4, '>620', '655 µS/cm', '480 µS/cm', 3, 70, 'Something is let in upstream.', 'Take a sample.'],
  ]),
  ...tagsOf(station, 'Weather', 'Site security', [
    ['Weather/Wind', 'Wind above 60 km/h', 4, '>60', '64 km/h', '12 km/h', 6, 45, 'Loose covers fly.', 'No work on roofs.'],
    ['Weather/Frost', 'Frost at the intake', 4, '<0', '-2 °C', '9 °C', 1.8, 300, 'Steps are slippery.', 'Switch on the trace heating.'],
    ['Intake/Door', 'Intake building door open', 3, '1', '1', '0', 6, 8, 'Anybody can walk in.', 'Look at the camera, ask who is there.'],
  ]),
];
